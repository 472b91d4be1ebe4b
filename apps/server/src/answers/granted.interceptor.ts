import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Granted } from '#lib/engine';
import { REDIAL_POSITION } from './redial-position.js';

/** A granted command as an HTTP answer: its value, 201 where it made something, and where it stands in the log. */
@Injectable()
export class GrantedInterceptor implements NestInterceptor<Granted<unknown>, unknown> {
  intercept(context: ExecutionContext, next: CallHandler<Granted<unknown>>): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map(({ value, position, created }) => {
        response.status(created ? 201 : 200);
        if (position !== undefined) response.setHeader(REDIAL_POSITION, position);
        if (value !== null) return value;
        // An answer of nothing is JSON too; without this it would be an empty body.
        response.type('application/json');
        return 'null';
      }),
    );
  }
}
