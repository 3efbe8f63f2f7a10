"""The commands, one module each, under the name of the command."""
