import {
  type ColumnDefinitionNode,
  type CreateTableNode,
  DataTypeNode,
  type DropViewNode,
  type OperationNode,
  PostgresDialect,
  PostgresQueryCompiler,
  RawNode,
} from 'kysely';

/**
 * The types of columns on PostgreSQL that store, compare and sort as on SQLite: text by its bytes, whatever the language of the
 * database; whole numbers of any size.
 */
const COLUMN_TYPES: { readonly [type: string]: OperationNode | undefined } = {
  text: RawNode.createWithSql('text collate "C"'),
  integer: DataTypeNode.create('bigint'),
};

/** PostgreSQL with the column types of the read store. */
export class ReadStoreDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new ReadStoreCompiler();
  }
}

class ReadStoreCompiler extends PostgresQueryCompiler {
  /** Also drops the views for analysts that read it: they are made again. */
  protected override visitDropView(node: DropViewNode): void {
    super.visitDropView({ ...node, cascade: true });
  }

  protected override visitDataType({ dataType }: DataTypeNode): void {
    this.append(dataType === 'blob' ? 'bytea' : dataType);
  }

  protected override visitCreateTable(node: CreateTableNode): void {
    const { endModifiers: _, ...table } = node;
    super.visitCreateTable(table);
  }

  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : '';
    super.visitColumnDefinition({ ...node, dataType: COLUMN_TYPES[type] ?? node.dataType });
  }
}
