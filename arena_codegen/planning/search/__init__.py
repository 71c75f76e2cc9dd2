"""Finding small plans by search: orders to place in, the portfolio, branch and bound, local search over shares."""
