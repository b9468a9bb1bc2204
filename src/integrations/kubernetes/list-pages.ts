import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { RemoteServerError } from '../http/remote-error.ts';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';

const PAGE_SIZE = 500;
/** A continue token expires after about five minutes. A list that repeatedly takes longer cannot complete. */
const MAX_ATTEMPTS = 3;
const EXPIRED = 410;
/** The largest clusters that Kubernetes supports have 150,000 pods. */
const MAX_ITEMS = 200_000;
const MAX_PAGES = 1000;
/** For all pages together: 10,000 pods have 50 million characters. Each page is limited too, but there can be many. */
const MAX_CHARACTERS = 2 ** 30;
const LIST_TIMEOUT_MS = 60_000;

export interface ResourceList<Item> {
  readonly items: readonly Item[];
  /** A watch can continue from here. */
  readonly resourceVersion: string;
}

export interface ListRequest {
  readonly path: string;
  readonly action: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

type ListServer = Pick<ApiServer, 'displayName' | 'request'>;

/** Lists objects of one kind page by page. Keeps only the result of `toItem`, because lists can be long. */
export function createLister<S extends TSchema, Item>(schema: S, toItem: (object: Static<S>) => Item) {
  const page = Type.Object({
    metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
    // An empty list can be null.
    items: Type.Union([Type.Array(schema), Type.Null()]),
  });
  const read = schemaParser('a list of the API', page);

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
    throw new RemoteServerError('unreadable', `${server.displayName}: ${request.action} exceeded the size limit`);
  }

  return async (server: ListServer, request: ListRequest): Promise<ResourceList<Item>> => {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const list = await readAllPages(server, request, signal);
      if (list !== undefined) return list;
    }
    throw new RemoteServerError('unreadable', `${server.displayName}: the list expired while it was being read (410)`);
  };
}
