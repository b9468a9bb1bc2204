import type { Static } from 'typebox';
import Type from 'typebox';
import { schemaParser } from '../http/schema-parser.ts';
import type { ApiServer } from './api-server.ts';
import { createLister } from './list-pages.ts';

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

const condition = Type.Object({ type: Type.String(), status: Type.Optional(Type.String()) });
const status = Type.Optional(Type.Object({ conditions: Type.Optional(Type.Array(condition)) }));

const requestSchema = Type.Object({
  metadata: Type.Object({ name: Type.String(), uid: Type.String(), creationTimestamp: Type.String() }),
  spec: Type.Object({
    request: Type.String(),
    signerName: Type.String(),
    username: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.String())),
    usages: Type.Optional(Type.Array(Type.String())),
  }),
  status,
});

export type CertificateRequest = Readonly<ReturnType<typeof toCertificateRequest>>;

function toCertificateRequest({ metadata, spec, status }: Static<typeof requestSchema>) {
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
  Type.Object({ metadata: Type.Object({ uid: Type.String() }), status }),
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
    const current = await server.get(path, action, readRequest);
    if (current?.metadata.uid !== uid) return 'gone';
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
