import type { Role } from './vocabulary.ts';

/** Who may see secrets in clear. */
export const maySeeSecrets = (role: Role): boolean => role === 'admin';

/** Who may enrol other hosts than the one that calls. */
export const mayEnrolOthers = (role: Role): boolean => role === 'admin' || role === 'operator';

/** Who may see what happens to accounts. */
export const maySeeAccounts = (role: Role): boolean => role === 'admin';
