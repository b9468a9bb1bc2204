import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { reading } from '../reading.ts';
import { ServerFailure } from '../server-failure.ts';
import type { ApiServer } from './api-server.ts';

const PAGE = 500;
/** The server forgets old states after five minutes or so; a list that takes longer, again and again, never comes to its end. */
const MOST_BEGINNINGS = 3;
const EXPIRED = 410;
/** The largest clusters that Kubernetes is made for have 150,000 pods. */
const MOST_ITEMS = 200_000;
const MOST_PAGES = 1000;
/** Of all pages together: ten thousand pods have 50 million. Each page has a bound of its own, but there may be many. */
const MOST_CHARACTERS = 2 ** 30;
/** For all pages of a list together, and all its beginnings. */
const LIST_TIMEOUT_MS = 60_000;

/** A list as it was at one moment. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Of the moment; a watch goes on from there. */
  readonly resourceVersion: string;
}

export interface ListCall {
  readonly path: string;
  /** For messages: `list nodes`. */
  readonly what: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

type ListServer = Pick<ApiServer, 'name' | 'ask'>;

/** Reads lists of one kind, page by page. Of each object only what `pick` makes of it is kept: a list may be long. */
export function listing<S extends TSchema, Item>(schema: S, pick: (object: Static<S>) => Item) {
  const page = Type.Object({
    metadata: Type.Object({ resourceVersion: Type.String(), continue: Type.Optional(Type.String()) }),
    // A list of nothing may be told as null.
    items: Type.Union([Type.Array(schema), Type.Null()]),
  });
  const read = reading('a list of the API', page);

  /** `undefined`: the server has forgotten the moment that the list is of. */
  async function whole(
    server: ListServer,
    call: ListCall,
    signal: AbortSignal,
  ): Promise<Listed<Item> | undefined> {
    const items: Item[] = [];
    let next: string | undefined;
    let characters = 0;
    const isTooMuch = () => items.length > MOST_ITEMS || characters > MOST_CHARACTERS;
    for (let pages = 0; pages < MOST_PAGES && !isTooMuch(); pages += 1) {
      const answer = await server.ask({
        method: 'GET',
        path: call.path,
        query: { ...call.query, limit: PAGE, continue: next },
        what: call.what,
        expects: next === undefined ? [] : [EXPIRED],
        signal,
      });
      if (answer.status === EXPIRED) return undefined;
      const { metadata, items: objects } = read(answer.body);
      characters += answer.length ?? 0;
      for (const object of objects ?? []) items.push(pick(object));
      if (!metadata.continue) return { items, resourceVersion: metadata.resourceVersion };
      if (metadata.continue === next) break;
      next = metadata.continue;
    }
    throw new ServerFailure('unreadable', `${server.name}: ${call.what} exceeded the size limit`);
  }

  return async (server: ListServer, call: ListCall): Promise<Listed<Item>> => {
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    for (let beginning = 0; beginning < MOST_BEGINNINGS; beginning += 1) {
      const listed = await whole(server, call, signal);
      if (listed !== undefined) return listed;
    }
    throw new ServerFailure('unreadable', `${server.name}: the list expired while it was being read (410)`);
  };
}
