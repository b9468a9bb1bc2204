const NAMED_AT_MOST = 10;

/** Some of many names or addresses, for a message. */
export const someOf = (names: readonly string[]): string =>
  names.length <= NAMED_AT_MOST
    ? names.join(', ')
    : `${names.slice(0, NAMED_AT_MOST).join(', ')} and ${names.length - NAMED_AT_MOST} more`;
