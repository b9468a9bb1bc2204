import { Page } from '../../ui/page.tsx';

export const ClusterPage = () => (
  <Page title="Cluster">
    <p>Cluster</p>
  </Page>
);
