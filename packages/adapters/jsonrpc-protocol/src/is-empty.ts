export const isEmpty = (record: Readonly<Record<string, unknown>>): boolean => Object.keys(record).length === 0;
