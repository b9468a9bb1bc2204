import { RequestRefused, ServiceUnreachable } from './client.ts';

/** What another try may mend: nobody answers, or only to say that it cannot just now. Whoever is only busy refuses nobody. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ServiceUnreachable ||
  (error instanceof RequestRefused && (error.status >= 500 || error.status === 429));
