// Stands in for an API client that is not installed: either way its types are unresolved.
export {};
