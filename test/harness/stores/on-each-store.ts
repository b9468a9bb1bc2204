import { afterAll, beforeAll } from 'vitest';
import type { ServiceOverrides } from '../../../src/server/start-service.ts';
import type { TestService } from '../service.ts';
import { startTestService } from '../service.ts';
import { describeStores } from './stores.ts';

/** Runs a suite against the real server over HTTP, once on each store. */
export function onEachStore(
  name: string,
  suite: (service: () => TestService) => void,
  settings?: Readonly<Record<string, string>>,
  overrides?: ServiceOverrides,
): void {
  describeStores(
    kind => `${name}, on ${kind}`,
    kind => {
      let service: TestService;
      beforeAll(async () => {
        service = await startTestService(kind, settings, overrides);
      });
      afterAll(() => service.stop());
      suite(() => service);
    },
  );
}
