import { Link } from '@tanstack/react-router';

export const HostLink = ({ address }: { readonly address: string }) => (
  <Link to="/hosts/$address" params={{ address }} className="mono">
    {address}
  </Link>
);

export const ClusterLink = ({ name }: { readonly name: string }) => (
  <Link to="/clusters/$name" params={{ name }}>
    {name}
  </Link>
);
