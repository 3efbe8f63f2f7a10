"""The pages of a campaign over HTTP, live: what `campaign serve` runs. Needs the extra `serve`."""
