import type { IncomingHttpHeaders } from 'node:http';

/** Whether a person goes there with a browser: by a link, a bookmark or the address bar. No script of a page can say so. */
export const isNavigation = ({ 'sec-fetch-mode': mode }: IncomingHttpHeaders): boolean => mode === 'navigate';

/** Whether it is a page that is wanted, and not a file to be kept. */
export const wantsPage = (headers: IncomingHttpHeaders): boolean =>
  isNavigation(headers) && /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '');
