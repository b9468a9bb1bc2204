import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';

const PAGE_SIZE = 500;
/** The server forgets old states after five minutes or so; a list that takes longer, again and again, never comes to its end. */
const MAX_ATTEMPTS = 3;
const EXPIRED = 410;
/** The largest clusters that Kubernetes is made for have 150,000 pods. */
const MAX_ITEMS = 200_000;
const MAX_PAGES = 1000;
/** Of all pages together: ten thousand pods have 50 million. Each page has a bound of its own, but there may be many. */
const MAX_CHARACTERS = 2 ** 30;
/** For all pages of a list together, and all its beginnings. */
const LIST_TIMEOUT_MS = 60_000;

/** A list as it was at one moment. */
export interface ResourceList<Item> {
  readonly items: readonly Item[];
  /** Of the moment; a watch goes on from there. */
  readonly resourceVersion: string;
}

export interface ListRequest {
  readonly path: string;
  /** For messages: `list nodes`. */
  readonly action: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

type ListServer = Pick<ApiServer, 'displayName' | 'request'>;

/** Reads lists of one kind, page by page. Of each object only what `pick` makes of it is kept: a list may be long. */
export function createLister<S extends TSchema, Item>(schema: S, toItem: (object: Static<S>) => Item) {
  const page = Type.Object({
    metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
    // A list of nothing may be told as null.
    items: Type.Union([Type.Array(schema), Type.Null()]),
  });
  const read = schemaParser('a list of the API', page);

  /** `undefined`: the server has forgotten the moment that the list is of. */
  async function readAllPages(
    server: ListServer,
    request: ListRequest,
    signal: AbortSignal,
  ): Promise<ResourceList<Item> | undefined> {
    const items: Item[] = [];
    let next: string | undefined;
    let characters = 0;
    const exceedsLimit = () => items.length > MAX_ITEMS || characters > MAX_CHARACTERS;
    for (let pages = 0; pages < MAX_PAGES && !exceedsLimit(); pages += 1) {
      const response = await server.request({
        method: 'GET',
        path: request.path,
        query: { ...request.query, limit: PAGE_SIZE, continue: next },
        action: request.action,
        acceptedStatuses: next === undefined ? [] : [EXPIRED],
        signal,
      });
      if (response.status === EXPIRED) return undefined;
      const { metadata, items: objects } = read(response.body);
      characters += response.length ?? 0;
      for (const object of objects ?? []) items.push(toItem(object));
      if (!metadata.continue) return { items, resourceVersion: metadata.resourceVersion };
      if (metadata.continue === next) break;
      next = metadata.continue;
    }
    throw new RemoteServerError(
      'unreadable',
      `${server.displayName}: ${request.action} exceeded the size limit`,
    );
  }

  return async (server: ListServer, request: ListRequest): Promise<ResourceList<Item>> => {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const list = await readAllPages(server, request, signal);
      if (list !== undefined) return list;
    }
    throw new RemoteServerError(
      'unreadable',
      `${server.displayName}: the list expired while it was being read (410)`,
    );
  };
}
