import type { App } from '../../app/index.ts';
import type { inventoryRoutes } from '../../contract/routes/inventory.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { Refusal, refuseFields } from '../../domain/errors.ts';
import { DEFAULT_TARGET_PORT } from '../../domain/vocabulary.ts';
import type { HandlersOf } from '../call.ts';
import { hostQueryOf } from '../host-query.ts';
import { ReadyJson } from '../ready-json.ts';
import { ansibleInventory, viewHostVars } from '../views/ansible-inventory.ts';
import { prometheusTargets } from '../views/prometheus-targets.ts';

const NO_ADDRESS = refuseFields(
  'invalid_query',
  [{ path: '/host', message: 'must be an IPv4 or IPv6 address' }],
  'the query',
);

export const inventoryHandlers = ({ inventory }: App): HandlersOf<typeof inventoryRoutes> => ({
  readAnsibleInventory: async ({ query: { host, ...filters } }) => {
    if (host === undefined) {
      const found = await inventory.forAnsible(hostQueryOf(filters));
      return found instanceof Refusal ? found : { body: ReadyJson.parts(ansibleInventory(found)) };
    }
    const address = parseAddress(host);
    if (address === undefined) return NO_ADDRESS;
    const found = await inventory.host(hostQueryOf(filters), address);
    return found instanceof Refusal ? found : { body: viewHostVars(found) };
  },

  readPrometheusTargets: async ({ query: { port = DEFAULT_TARGET_PORT, ...filters } }) => {
    const found = await inventory.forPrometheus(hostQueryOf(filters));
    return found instanceof Refusal ? found : { body: ReadyJson.parts(prometheusTargets(found, port)) };
  },
});
