"""The line notation: text to declaration and back."""
