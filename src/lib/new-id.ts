import { randomBytes } from 'node:crypto';

/** A name for something new that no one can guess and that never comes twice. */
export const newId = (): string => randomBytes(12).toString('base64url');
