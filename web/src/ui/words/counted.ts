const NUMBER = new Intl.NumberFormat();

/** A number with its noun: `1 host`, `12,000 hosts`. */
export const counted = (count: number, noun: string): string =>
  `${NUMBER.format(count)} ${count === 1 ? noun : `${noun}s`}`;

export const numberText = (count: number): string => NUMBER.format(count);
