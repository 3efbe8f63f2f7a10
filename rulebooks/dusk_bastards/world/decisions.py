"""Which function decides each declaration about light, view and distances."""

from __future__ import annotations

from rulebooks.common.game import Decisions
from rulebooks.dusk_bastards.declarations.world import SetDistance, SetLight, SetObscurity
from rulebooks.dusk_bastards.world import surroundings

DECISIONS: Decisions = {
    SetLight: surroundings.set_light,
    SetObscurity: surroundings.set_obscurity,
    SetDistance: surroundings.set_distance,
}
