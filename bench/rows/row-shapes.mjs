export const everyone = ['limit', 'hexagent', 'official'];
export const sdks = ['hexagent', 'official'];

export const milliseconds = { unit: 'ms', digits: 2, better: 'less' };
export const rate = { better: 'more', digits: 0 };
export const cpu = { better: 'less', digits: 2 };

export const memory = { unit: 'MB', better: 'less' };

/** A row over the stand-in that plays prepared output, beside the official package and the limit. */
export const played = { standIn: 'play.sh', subjects: everyone };

/** A row with the real CLI and a scripted model, which takes too long for many rounds. */
export const real = { rounds: { full: 3, quick: 1 } };

/** @typedef {{ key: string, label: string, unit: string, digits: number, better: 'less' | 'more' }} Metric */
