"""The homes: where the links of each domain are."""
