import { expect, test } from 'vitest';
import { routes } from '../../src/contract/index.ts';
import type { RouteDefinition } from '../../src/contract/route-definition.ts';
import { ERROR_CODES } from '../../src/domain/errors.ts';
import { EVENT_TYPES } from '../../src/domain/vocabulary.ts';
import { drivers } from '../../src/drivers/index.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: { readonly name: string; readonly in: string }[];
  readonly responses: Record<string, unknown>;
  readonly security: unknown[];
}

describeServer('API documentation', service => {
  test('openapi.json contains every route definition', async () => {
    const { body, headers } = await service().get<{
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
    }>('/openapi.json', { as: null });
    expect([body.openapi, headers.get('content-type')]).toEqual(['3.1.0', 'application/json; charset=utf-8']);
    const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    );
    const aliases = Object.entries<RouteDefinition>(routes).flatMap(([name, route]) =>
      (route.aliases ?? []).map(() => `${name}Alias`),
    );
    expect(operations.map(operation => operation.operationId).sort()).toEqual(
      [...Object.keys(routes), ...aliases].sort(),
    );
    for (const { path, parameters, responses, security } of operations) {
      const inPath = parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name);
      expect([...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])).toEqual(inPath);
      expect(Object.keys(responses).some(status => status.startsWith('20'))).toBe(true);
      expect(security.length === 0).toBe(!('401' in responses));
    }
  });

  test('openapi.json lists cookie authentication for every route except session creation', async () => {
    const { body } = await service().get<{ paths: Record<string, Record<string, { security: object[] }>> }>(
      '/openapi.json',
    );
    const schemes = (path: string, method: string) => body.paths[path]?.[method]?.security.map(Object.keys);
    expect(schemes('/api/v0/hosts', 'get')).toEqual([['basic'], ['session', 'dashboard']]);
    expect(schemes('/api/v0/session', 'put')).toEqual([['basic']]);
    expect(schemes('/healthz', 'get')).toEqual([]);
  });

  test('openapi.json lists the operating systems and transports of the drivers for fields and filters', async () => {
    const { body } = await service().get<{ paths: Record<string, unknown> }>('/openapi.json', { as: null });
    const fields: object[] = [];
    JSON.stringify(body, (key, value) => {
      const field = key === 'os' || value?.name === 'os' ? (value.schema ?? value) : undefined;
      // The examples have values of these fields.
      if (typeof field === 'object' && field.type !== 'array') fields.push(field);
      return value;
    });
    expect(fields.length).toBeGreaterThan(3);
    for (const field of fields) expect(field).toMatchObject({ enum: ['', ...drivers.os.osNames] });
    expect(JSON.stringify(body)).toContain('"enum":["","ssh","openssh"]');
    expect(JSON.stringify(body)).not.toContain('enumFrom');
  });

  test('openapi.json has the schema of every event of the stream and of webhooks', async () => {
    const { body } = await service().get<{
      components: { schemas: Record<string, { anyOf: { $ref: string }[]; properties: { type: { const: string } } }> };
      webhooks: unknown;
    }>('/openapi.json', { as: null });
    const { schemas } = body.components;
    const names = schemas['Event']?.anyOf.map(({ $ref }) => $ref.replace('#/components/schemas/', '')) ?? [];
    expect(names).toContain('OperationHostEvent');
    expect(names.map(name => schemas[name]?.properties.type.const)).toEqual([...EVENT_TYPES]);
    expect(JSON.stringify(body.webhooks)).toContain('#/components/schemas/Event');
  });

  test('openapi.json names the records, and refers to them from all their places', async () => {
    const { body } = await service().get<{ components: { schemas: object }; paths: object }>('/openapi.json', {
      as: null,
    });
    const names = Object.keys(body.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['Cluster', 'Host', 'Operation', 'OperationPlan', 'Policy', 'Problem']),
    );
    const text = JSON.stringify(body);
    const targets = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    expect([...targets].sort()).toEqual(names);
    expect(text).not.toContain('x-component');
  });

  test('openapi.json names every request body, so that generators need not invent names', async () => {
    const { body } = await service().get<{ paths: Record<string, Record<string, object>> }>('/openapi.json', {
      as: null,
    });
    const unnamed: string[] = [];
    JSON.stringify(body.paths, (_key, node) => {
      const schema = node?.requestBody?.content['application/json'].schema;
      if (schema !== undefined && !('$ref' in schema)) unnamed.push(node.operationId);
      return node;
    });
    expect(unnamed).toEqual([]);
  });

  test('/docs contains every operation and every error code, and no script', async () => {
    const { text, headers } = await service().get('/docs', { as: null });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const name of Object.keys(routes)) expect(text).toContain(`id="${name}"`);
    for (const code of ERROR_CODES) expect(text).toContain(`id="${code}"`);
    // Fields of objects in lists, and fields of every response.
    for (const field of ['hosts[].commands[].argv', 'restarted[].error'])
      expect(text).toContain(`<code>${field}</code>`);
    expect(text).not.toContain('<script');
  });

  test('the client generated from the route definitions works with the server', async () => {
    const { client } = service();
    await client.putCluster({ name: 'typed', body: { network: 'default' } });
    expect((await client.getCluster({ name: 'typed' })).body.hosts.total).toBe(0);
    expect((await client.listClusters({ query: { limit: 1 } })).body).toEqual(['typed']);
    expect((await client.replaceMembers({ name: 'typed', body: { old: [], new: [] } })).body).toEqual([]);
    expect((await client.getDocs()).body).toContain('<h1>Hostler</h1>');
    await expect(client.getHost({ address: '::1' })).rejects.toMatchObject({
      status: 404,
      problem: { code: 'not_found' },
    });
  });
});
