import type { App } from '../../app/index.ts';
import type { hostCareRoutes } from '../../contract/routes/host-care.ts';
import { AppError } from '../../domain/errors.ts';
import type { HandlersOf } from '../call.ts';
import { viewHost } from '../views/host.ts';
import { viewHostStatus } from '../views/host-status.ts';

export const hostCareHandlers = ({ hosts }: App): HandlersOf<typeof hostCareRoutes> => ({
  getHostStatus: async ({ params }) => {
    const report = await hosts.readStatus(params.address);
    return report instanceof AppError ? report : { body: viewHostStatus(report) };
  },

  getHostChecks: async ({ params }) => {
    const checks = await hosts.listChecks(params.address);
    return checks instanceof AppError ? checks : { body: [...checks] };
  },

  bootstrapHost: async ({ actor, params }) => {
    const host = await hosts.bootstrapAgain(actor, params.address);
    return host instanceof AppError ? host : { body: viewHost(host) };
  },

  getHostLabels: async ({ params }) => {
    const labels = await hosts.readLabels(params.address);
    return labels instanceof AppError ? labels : { body: labels };
  },

  putHostLabels: async ({ actor, params, body }) => {
    const labels = await hosts.replaceLabels(actor, { address: params.address, labels: body });
    return labels instanceof AppError ? labels : { body: labels };
  },

  getHostMaintenance: async ({ params }) => {
    const maintenance = await hosts.readMaintenance(params.address);
    return maintenance instanceof AppError ? maintenance : { body: maintenance };
  },

  putHostMaintenance: async ({ actor, params, body: { on, reason = '' } }) => {
    const maintenance = await hosts.setMaintenance(actor, { address: params.address, on, reason });
    return maintenance instanceof AppError ? maintenance : { body: maintenance };
  },
});
