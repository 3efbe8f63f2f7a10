"""How a story tells what somebody did."""
