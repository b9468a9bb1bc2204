/** What commands that ask a service read of the environment; each counts before what was kept by a login. */
export const CLIENT_VARIABLES = [
  'HOSTLER_CONTEXT',
  'HOSTLER_URL',
  'HOSTLER_USER',
  'HOSTLER_PASSWORD',
  'HOSTLER_CA_FILE',
] as const;

/** The environment, as far as such commands may read it. */
export type ClientEnvironment = Readonly<
  Partial<Record<(typeof CLIENT_VARIABLES)[number], string | undefined>>
>;
