import Type from 'typebox';
import { route } from '../route.ts';

const tag = 'Service';
const Health = Type.Object({ status: Type.String() });

/** What anyone may ask, without credentials. */
export const serviceRoutes = {
  isAlive: route({
    method: 'GET',
    path: '/healthz',
    tag,
    summary: 'Whether the process is alive',
    roles: 'anyone',
    statuses: [200],
    answer: Health,
  }),
  isReady: route({
    method: 'GET',
    path: '/readyz',
    tag,
    summary: 'Whether the store can be read and written and its schema is not older than this version',
    roles: 'anyone',
    statuses: [200],
    answer: Health,
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/openapi.json',
    tag,
    summary: 'This interface as an OpenAPI 3.1 document',
    roles: 'anyone',
    statuses: [200],
    answer: Type.Unknown(),
  }),
  readDocs: route({
    method: 'GET',
    path: '/docs',
    tag,
    summary: 'This interface as a page to read',
    roles: 'anyone',
    statuses: [200],
    answer: Type.String(),
    mediaType: 'text/html; charset=utf-8',
  }),
};
