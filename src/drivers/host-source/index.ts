import { etcd } from './etcd/etcd.ts';
import { file } from './file/file.ts';
import type { HostSourceDriver } from './host-source.ts';
import { http } from './http/http.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';

export const hostSourceDrivers: readonly HostSourceDriver[] = [kubernetes, etcd, http, file];
