"""The whole deployment, for its operators."""
