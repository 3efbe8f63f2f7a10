"""Pages for a browser: a session to replay, and the campaign. Structs with their content, and HTML made of them."""
