const NUMBER = new Intl.NumberFormat();

export const numberText = (count: number): string => NUMBER.format(count);

/** What so many are called: `host`, `hosts`. */
export const pluralOf = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** A number with its noun: `1 host`, `12,000 hosts`. */
export const counted = (count: number, noun: string): string =>
  `${numberText(count)} ${pluralOf(count, noun)}`;
