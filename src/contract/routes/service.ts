import Type from 'typebox';
import { route } from '../route.ts';

const tag = 'Service';
const Health = Type.Object({ status: Type.String() });

/** Routes that need no credentials. */
export const serviceRoutes = {
  getLiveness: route({
    method: 'GET',
    path: '/healthz',
    tag,
    summary: 'Check whether the process is alive',
    roles: 'anyone',
    statuses: [200],
    answer: Health,
  }),
  getReadiness: route({
    method: 'GET',
    path: '/readyz',
    tag,
    summary: 'Check whether the store can be read and written and its schema is not older than the server',
    roles: 'anyone',
    statuses: [200],
    answer: Health,
  }),
  getOpenApi: route({
    method: 'GET',
    path: '/openapi.json',
    tag,
    summary: 'Get the OpenAPI 3.1 document of this API',
    roles: 'anyone',
    statuses: [200],
    answer: Type.Unknown(),
  }),
  getDocs: route({
    method: 'GET',
    path: '/docs',
    tag,
    summary: 'Get the documentation of this API as a web page',
    roles: 'anyone',
    statuses: [200],
    answer: Type.String(),
    mediaType: 'text/html; charset=utf-8',
  }),
};
