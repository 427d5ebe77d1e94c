"""JSON Schemas of the models and of every format's requests, and the TypeScript types made of them."""
