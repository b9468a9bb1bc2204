import type { App } from '../../app/index.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import type { Route } from '../../contract/route.ts';
import type { serviceRoutes } from '../../contract/routes/service.ts';
import { ReadyJson } from '../answers/ready-json.ts';
import type { HandlersOf } from '../call.ts';
import { docsPage } from '../docs-page.ts';

export const serviceHandlers = (
  app: App,
  version: string,
  rows: Readonly<Record<string, Route>>,
): HandlersOf<typeof serviceRoutes> => {
  const document = openApiDocument(version, app.words, rows);
  const page = docsPage(document);
  // Once for all: whoever asks for it a thousand times without reading must not make us write it a thousand times.
  const readyDocument = ReadyJson.constant(document);
  return {
    getLiveness: async () => ({ body: { status: 'ok' } }),
    getReadiness: async () => (await app.readinessProblem()) ?? { body: { status: 'ready' } },
    getOpenApi: async () => ({ body: readyDocument }),
    getDocs: async () => ({
      body: page.html,
      headers: { 'content-security-policy': page.contentSecurityPolicy },
    }),
  };
};
