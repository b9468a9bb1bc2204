import type { Static } from 'typebox';
import Type from 'typebox';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { createLister } from './list-pages.ts';

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const condition = Type.Object({ type: Type.String(), status: Type.Optional(Type.String()) });

const requestSchema = Type.Object({
  metadata: Type.Object({ name: Type.String(), uid: Type.String(), creationTimestamp: Type.String() }),
  spec: Type.Object({
    request: Type.String(),
    signerName: Type.String(),
    username: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.String())),
    usages: Type.Optional(Type.Array(Type.String())),
  }),
  status: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) })),
});

export interface CertificateRequest {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: string;
  readonly signerName: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly usages: readonly string[];
  readonly pem: string;
  readonly isPending: boolean;
}

function toCertificateRequest({ metadata, spec, status }: Static<typeof requestSchema>): CertificateRequest {
  return {
    name: metadata.name,
    uid: metadata.uid,
    createdAt: metadata.creationTimestamp,
    signerName: spec.signerName,
    username: spec.username ?? '',
    groups: spec.groups ?? [],
    usages: spec.usages ?? [],
    pem: Buffer.from(spec.request, 'base64').toString('utf8'),
    isPending: (status?.conditions ?? []).length === 0,
  };
}

const listRequests = createLister(requestSchema, toCertificateRequest);
/** Keeps unknown fields, because the whole object is written back. */
const readRequest = schemaParser(
  'a certificate request of the API',
  Type.Object({
    metadata: Type.Object({ uid: Type.String() }),
    status: Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) })),
  }),
);

export const createCertificateRequestsApi = (server: ApiServer) => ({
  async list(signerName?: string) {
    const query = { fieldSelector: signerName && `spec.signerName=${signerName}` };
    return (await listRequests(server, { path: PATH, action: 'list certificate requests', query })).items;
  },
  /** `conflict`: changed concurrently, read it again. `decided`: no longer pending. */
  async approve({ name, uid }: Pick<CertificateRequest, 'name' | 'uid'>, message: string) {
    const path = `${PATH}/${encodeURIComponent(name)}`;
    const action = 'approve certificate requests';
    const found = await server.request({ method: 'GET', path, action, acceptedStatuses: [404] });
    if (found.status === 404) return 'gone';
    const current = readRequest(found.body);
    if (current.metadata.uid !== uid) return 'gone';
    if ((current.status?.conditions ?? []).length > 0) return 'decided';
    const approved = { type: 'Approved', status: 'True', reason: 'HostlerApprove', message };
    const { status } = await server.request({
      method: 'PUT',
      path: `${path}/approval`,
      body: { ...current, status: { ...current.status, conditions: [approved] } },
      action,
      acceptedStatuses: [404, 409],
    });
    if (status === 404) return 'gone';
    return status === 409 ? 'conflict' : 'approved';
  },
});
