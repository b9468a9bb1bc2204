const NAMED_AT_MOST = 10;

/** Some of many names or addresses, for a message. */
export const someOf = (names: readonly string[], atMost = NAMED_AT_MOST): string =>
  names.length <= atMost
    ? names.join(', ')
    : `${names.slice(0, atMost).join(', ')} and ${names.length - atMost} more`;
