export { createClaims, type Claims, type ClaimsOptions } from './create-claims.ts';
export { FleetChats } from './fleet-chats.ts';
export type { FleetParts } from './fleet-parts.ts';
export { place, type PlacedSession, type Placement } from './place.ts';
