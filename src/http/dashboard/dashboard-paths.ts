import { PAGES } from '../../contract/pages.ts';

/** What is meant by a path of the dashboard. */
export type DashboardTarget = 'page' | 'no_such_page' | { readonly asset: string };

const pages: ReadonlySet<string> = new Set(['', ...PAGES]);

/** Almost all requests are for it, so that they are told apart first. */
const API = '/api/';

/** `undefined`: the path is not of the dashboard. Slashes may be doubled, and stand at the end, as elsewhere. */
export function dashboardTarget(url: string): DashboardTarget | undefined {
  if (url.startsWith(API)) return undefined;
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const [first = '', ...below] = path.split('/').filter(part => part !== '');
  if (first === 'assets') return { asset: below.join('/') };
  return pages.has(first) ? 'page' : undefined;
}

/** Whether a path is of the interface, known or not. */
export const isOfInterface = (url: string): boolean => /^\/+api([/?#]|$)/.test(url);
