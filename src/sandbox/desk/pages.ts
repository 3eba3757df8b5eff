import { Hono } from 'hono';
import type { Backstage } from './backstage.ts';
export function deskPages(_: Backstage): Hono { return new Hono(); }
