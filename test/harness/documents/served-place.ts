// A reader with a service of the own, started in the checkout by `npm start`, as a document says that there is one.

import { freePort } from '../ssh/sshd.ts';
import type { ReaderPlace } from './reader-place.ts';
import { makeReaderPlace } from './reader-place.ts';
import { ShellSession } from './shell-session.ts';
import { tourAt } from './tour.ts';

const DEADLINE_MS = 60_000;

export const READERS_PASSWORD = 'printed at the first start';

export interface ServedPlace {
  readonly place: ReaderPlace;
  readonly url: string;
  /** `api` and `URL`, as the tour defines them. */
  readonly tour: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it, and removes all that the reader has. */
  leave(): Promise<void>;
}

/** The service is not started yet. */
export async function makeServedPlace(): Promise<ServedPlace> {
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const place = await makeReaderPlace({
    HOSTLER_ADMIN_PASSWORD: READERS_PASSWORD,
    HOSTLER_URL: url,
    HOSTLER_PASSWORD: READERS_PASSWORD,
  });
  let session: ShellSession | undefined;
  const stop = async () => {
    await session?.stop(DEADLINE_MS);
    session = undefined;
  };
  return {
    place,
    url,
    tour: tourAt(url, READERS_PASSWORD),
    start: async () => {
      session = new ShellSession(place.terminal);
      session.begin(`npm start -- --listen ${listen}`);
      await session.says(/API +http/, DEADLINE_MS);
    },
    stop,
    leave: async () => {
      await stop();
      place.remove();
    },
  };
}
