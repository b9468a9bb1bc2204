/** How this machine reaches the registry. */
export const registryAccess = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|https?_proxy|no_proxy)$/i.test(entry[0]) &&
        entry[1] !== undefined,
    ),
  );
