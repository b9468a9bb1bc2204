import { randomBytes } from 'node:crypto';

/** Unique, and hard to guess. It does not begin with `-`, since the command line would take it for an option. */
export const newId = (): string => {
  const id = randomBytes(12).toString('base64url');
  return id.startsWith('-') ? newId() : id;
};
