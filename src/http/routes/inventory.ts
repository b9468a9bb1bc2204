import type { App } from '../../app/index.ts';
import type { inventoryRoutes } from '../../contract/routes/inventory.ts';
import { DEFAULT_TARGET_PORT } from '../../domain/defaults.ts';
import { AppError } from '../../domain/errors.ts';
import { ReadyJson } from '../answers/ready-json.ts';
import type { HandlersOf } from '../call.ts';
import { hostInQuery } from '../requests/host-in-query.ts';
import { hostQueryOf } from '../requests/host-query.ts';
import { ansibleInventory, viewHostVars } from '../views/ansible-inventory.ts';
import { prometheusTargets } from '../views/prometheus-targets.ts';

export const inventoryHandlers = ({ inventory }: App): HandlersOf<typeof inventoryRoutes> => ({
  getAnsibleInventory: async ({ query }) => {
    const host = hostInQuery(query);
    if (host instanceof AppError) return host;
    const filters = hostQueryOf(query);
    if (host === undefined) {
      const found = await inventory.forAnsible(filters);
      return found instanceof AppError ? found : { body: ReadyJson.parts(ansibleInventory(found)) };
    }
    const found = await inventory.host(filters, host);
    return found instanceof AppError ? found : { body: viewHostVars(found) };
  },

  getPrometheusTargets: async ({ query: { port = DEFAULT_TARGET_PORT, ...filters } }) => {
    const found = await inventory.forPrometheus(hostQueryOf(filters));
    return found instanceof AppError ? found : { body: ReadyJson.parts(prometheusTargets(found, port)) };
  },
});
