import { Link } from '@tanstack/react-router';
import { displayName } from '#sdk/host-progress.ts';

interface HostLinkProps {
  readonly address: string;
  /** Empty if unknown: the link then shows the address. */
  readonly hostname?: string | undefined;
}

export const HostLink = ({ address, hostname = '' }: HostLinkProps) => (
  <Link to="/hosts/$address" params={{ address }} title={address} className={hostname === '' ? 'mono' : undefined}>
    {displayName({ address, hostname })}
  </Link>
);

export const ClusterLink = ({ name }: { readonly name: string }) => (
  <Link to="/clusters/$name" params={{ name }}>
    {name}
  </Link>
);
