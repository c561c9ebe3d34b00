/** What few people open, or not at first: one script, which is loaded after the page. */
export { Help } from './help.tsx';
export { AccountScreen } from './screens/account/account.tsx';
export { Cards } from './screens/cards/cards.tsx';
export { Edit } from './screens/edit/edit.tsx';
export { Invitation } from './screens/entry/invitation.tsx';
export { ExportScreen } from './screens/exports/exports.tsx';
export { FeedsScreen } from './screens/feeds/feeds.tsx';
export { ImportScreen } from './screens/imports/imports.tsx';
export { KeysScreen } from './screens/keys/keys.tsx';
export { History } from './screens/record/history.tsx';
export { Curl, JsonText } from './screens/record/machine.tsx';
export { Removal } from './screens/record/removal.tsx';
export { Gone } from './screens/removed/gone.tsx';
export { RemovedScreen } from './screens/removed/removed.tsx';
export { undoRemoval } from './screens/removed/restore.tsx';
export { RequestsScreen } from './screens/requests/requests.tsx';
export { StaffScreen } from './screens/staff/staff.tsx';
export { WebhooksScreen } from './screens/webhooks/webhooks.tsx';
