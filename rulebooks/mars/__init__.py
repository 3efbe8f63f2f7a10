"""MARS: encounters, damage, effects, maneuvers and rests of the Modular Adventure Role-playing System."""
