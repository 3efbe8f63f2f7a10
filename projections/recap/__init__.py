"""The recap of one session as data: cast, scenes, events, and where every point and token came from and went."""
