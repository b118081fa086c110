// What loading a module costs when there is nothing in it.
export {};
