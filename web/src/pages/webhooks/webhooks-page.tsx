import { Page } from '../../ui/page.tsx';

export const WebhooksPage = () => (
  <Page title="Webhooks">
    <p>Webhooks</p>
  </Page>
);
