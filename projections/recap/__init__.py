"""The recap of one session as data: cast, scenes, events, and the source and use of every point and token."""
